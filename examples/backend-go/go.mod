module backend

go 1.22
